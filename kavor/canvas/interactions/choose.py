"""Which gesture a press begins. The one place that says so."""

from __future__ import annotations

from kavor.canvas.interaction import Interaction, Pointer
from kavor.canvas.interactions.connect_nodes import ConnectNodes
from kavor.canvas.interactions.move_nodes import MoveNodes
from kavor.canvas.interactions.pan import Pan
from kavor.canvas.interactions.press_button import PressButton
from kavor.canvas.interactions.resize_card import ResizeCard
from kavor.canvas.interactions.select_area import SelectArea
from kavor.canvas.qt import Qt
from kavor.canvas.view import CanvasView


def choose_interaction(view: CanvasView, at: Pointer, button: Qt.MouseButton) -> Interaction | None:
    """None where the press means nothing more than a click on what is there."""
    if button == Qt.MouseButton.MiddleButton or view.hand_held:
        return Pan(view)
    if button != Qt.MouseButton.LeftButton:
        return None
    item = view.canvas.node_at(at.scene)
    if item is not None:
        spot = at.scene - item.pos()
        pressed = item.button_at(spot)
        if pressed is not None:
            return PressButton(view, item, pressed)
        handle = item.handle_at(spot)
        if handle is None and item.grip_at(spot) and view.can_resize(item.node_id):
            return ResizeCard(view, item)
        return MoveNodes(view, item) if handle is None else ConnectNodes(view, item, handle)
    line = view.canvas.connection_at(at.scene)
    if line is not None:
        if not at.adds:
            view.canvas.clearSelection()
        line.setSelected(True)
        return None
    return SelectArea(view)
