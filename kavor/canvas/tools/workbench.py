"""Everything a hand or a key does on the canvases of one window, and what lies over them for that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from kavor.canvas.cards import card_of
from kavor.canvas.cards.card import HEADER
from kavor.canvas.cards.document import CHOOSE_STATE
from kavor.canvas.commands.identities import Identities
from kavor.canvas.commands.nodes import Tell
from kavor.canvas.desk import Desk
from kavor.canvas.edits import Edits
from kavor.canvas.interaction import Pointer
from kavor.canvas.interactions.choose import choose_interaction
from kavor.canvas.interactions.sketches import paint_chosen, paint_wire
from kavor.canvas.model import Model
from kavor.canvas.pairs import why_not
from kavor.canvas.places import reading_order
from kavor.canvas.qt import (
    QAction,
    QApplication,
    QCursor,
    QKeySequence,
    QMenu,
    QObject,
    QPainter,
    QPoint,
    QPointF,
    QRectF,
    Qt,
    QWidget,
    translate,
)
from kavor.canvas.runtime_words import message_words
from kavor.canvas.scene.curve import curve
from kavor.canvas.states import kind_word
from kavor.canvas.theme import Theme
from kavor.canvas.things import Connection
from kavor.canvas.tools import menus
from kavor.canvas.tools.adding import Adding
from kavor.canvas.tools.chooser import Choice, Chooser
from kavor.canvas.tools.empty_hint import EmptyHint
from kavor.canvas.tools.find_bar import FindBar
from kavor.canvas.tools.in_place_field import InPlaceField
from kavor.canvas.tools.losing import Losing
from kavor.canvas.tools.palette import KINDS, Palette
from kavor.canvas.tools.question import Question
from kavor.canvas.tools.shortcut_sheet import ShortcutSheet
from kavor.canvas.tools.shortcuts import groups
from kavor.canvas.view import CanvasView
from kavor.domain.graph import NodeKind

STEP, FAR_STEP = 8, 48
"""Canvas units of a move by an arrow key, and with Shift."""

_KEY_PAN = 80
"""Pixels that an arrow key moves the canvas by."""

_MARGIN = 16
_ARROWS = {"Left": QPoint(-1, 0), "Right": QPoint(1, 0), "Up": QPoint(0, -1), "Down": QPoint(0, 1)}


class Workbench(QObject):
    """``tell`` says a sentence beside a Node, ``typed_about`` what was typed about one that would go with it;
    ``window_actions`` by name are for the menus and the keys."""

    def __init__(
        self,
        model: Model,
        edits: Edits,
        tell: Tell,
        typed_about: Callable[[str], list[str]],
        theme: Theme,
        window_actions: Mapping[str, QAction],
        pages: QWidget,
    ) -> None:
        super().__init__(pages)
        self._model = model
        self._edits = edits
        self._tell = tell
        self._typed_about = typed_about
        self._window_actions = window_actions
        self._pages = pages
        self._identities = Identities()
        self._desks: dict[CanvasView, Desk] = {}
        self._front: Desk | None = None
        self.hint = EmptyHint(pages)
        self.palette = Palette(theme, pages)
        self.chooser = Chooser(theme, pages)
        self.adding = Adding(model, edits, self.chooser, self._on_pages)
        self.find_bar = FindBar(theme, pages)
        self.question = Question(pages)
        self.losing = Losing(model, self.question)
        self._sheet: ShortcutSheet | None = None
        self._commands: dict[str, Callable[[Desk], None]] = {
            "quick add": self._ask_at_pointer,
            **{f"add {kind}": partial(self._add_in_middle, kind) for kind in KINDS},
            "connect": self._choose_target,
            "open": self._open,
            "rename": self._rename,
            "delete": self.losing.delete,
            "undo": self.losing.undo,
            "redo": self.losing.redo,
            "select all": lambda desk: desk.select_all(),
            "find": lambda desk: self.find_bar.open_on(desk.view.canvas),
            "next asking": lambda desk: desk.select_next_asking(),
            "help": self._show_keys,
            "menu": self._open_menu_by_key,
        }
        self._wire()
        self.bring_to_front(None)

    def _wire(self) -> None:
        palette = self.palette
        palette.added.connect(lambda kind: self._do(f"add {kind.value}"))
        palette.carried.connect(self._carry)
        palette.dropped.connect(self._drop)
        palette.find_clicked.connect(lambda: self._do("find"))
        palette.undo_clicked.connect(lambda: self._do("undo"))
        palette.redo_clicked.connect(lambda: self._do("redo"))
        palette.help_clicked.connect(lambda: self._do("help"))
        palette.show_keys({each.command: each.shown for group in groups() for each in group.shortcuts})
        self.find_bar.found.connect(self._show_found)
        self.chooser.refused.connect(lambda words: self._tell("", words))
        for tool in (self.chooser, self.find_bar, self.question):
            tool.closed.connect(self._back_to_canvas)

    # --- What the window tells

    def adopt(self, view: CanvasView) -> None:
        """Work on this canvas from now on, until ``release``."""
        desk = self._desks[view] = Desk(view, self._edits, self._identities, self._tell, self._typed_about)
        view.interaction_for = partial(choose_interaction, view)
        actions = {str(action.data()): action for action in view.actions() if action.data()}
        actions |= self._window_actions
        actions |= {name: self._action(desk, name) for name in self._commands}
        for group in groups():
            for shortcut in group.shortcuts:
                actions[shortcut.command].setText(shortcut.words)
                actions[shortcut.command].setShortcuts([QKeySequence(keys) for keys in shortcut.keys])
        for name, way in _ARROWS.items():
            self._key(view, name, partial(self._arrow, desk, way, STEP))
            self._key(view, f"Shift+{name}", partial(self._arrow, desk, way, FAR_STEP))
            self._key(view, f"Alt+{name}", partial(desk.walk, way))
        view.node_wanted.connect(lambda at: self.adding.ask(desk, at))
        view.wire_dropped.connect(lambda node_id, at: self.adding.ask(desk, at, node_id))
        view.menu_wanted.connect(lambda at: self._open_menu(desk, actions, at))
        view.acted.connect(lambda node_id, action: self._on_acted(desk, node_id, action))
        desk.history.changed.connect(self._show_history)

    def desk_of(self, view: CanvasView) -> Desk:
        return self._desks[view]

    def release(self, view: CanvasView) -> None:
        desk = self._desks.pop(view)
        desk.release()
        if self._front is desk:
            self.bring_to_front(None)

    def bring_to_front(self, view: CanvasView | None) -> None:
        self._front = None if view is None else self._desks[view]
        self.chooser.close_list()
        self.find_bar.close_bar()
        self.palette.setVisible(view is not None)
        self.hint.show_on(None if view is None else view.canvas)
        self._show_history()

    def set_theme(self, theme: Theme) -> None:
        for tool in (self.palette, self.chooser, self.find_bar):
            tool.set_theme(theme)

    def place(self) -> None:
        """The room over the canvas has another size."""
        room, palette, bar = self._pages.rect(), self.palette, self.find_bar
        palette.fit_into(room.height() - 2 * _MARGIN)
        palette.move(room.left() + _MARGIN, room.center().y() - palette.height() // 2)
        bar.adjustSize()
        bar.move(room.right() - bar.width() - _MARGIN, room.top() + _MARGIN)
        self.question.place()
        self.hint.place()
        tools = [self.hint, palette, bar, self.chooser, self.question]
        if self._sheet is not None:
            self._sheet.place()
            tools.append(self._sheet)
        for tool in tools:
            tool.raise_()

    # --- Adding

    def _add_in_middle(self, kind: NodeKind, desk: Desk) -> None:
        self.adding.add_in_middle(desk, kind)

    def _ask_at_pointer(self, desk: Desk) -> None:
        room = desk.view.viewport()
        at = room.mapFromGlobal(QCursor.pos())
        self.adding.ask(desk, at if room.rect().contains(at) else room.rect().center())

    def _carry(self, kind: NodeKind, on_screen: QPoint) -> None:
        if self._front is not None:
            self.adding.carry(self._front, kind, self._pointer(self._front, on_screen))

    def _drop(self, on_screen: QPoint) -> None:
        desk = self._front
        self.adding.drop(desk, None if desk is None else self._pointer(desk, on_screen))
        self._back_to_canvas()

    def _show_found(self, node_id: str) -> None:
        if self._front is not None:
            self._front.select(node_id)

    def show_next_asking(self) -> None:
        self._do("next asking")

    # --- Connecting

    def _choose_target(self, desk: Desk) -> None:
        """By keyboard: from the selected card to one that is chosen by its name."""
        selected = desk.selected()
        if len(selected) != 1:
            words = translate("Connect", "Select one card first; then choose what to connect it to.")
            self._tell(selected[0] if selected else "", words)
            return
        start, canvas = selected[0], desk.view.canvas

        def lit(node_id: str | None) -> None:
            def paint(painter: QPainter) -> None:
                if {start, node_id} <= canvas.node_items.keys():
                    one, other = canvas.card_rect(start), canvas.card_rect(str(node_id))
                    paint_wire(painter, canvas.look.theme, curve(one, other), refused=False)
                    paint_chosen(painter, canvas.look.theme, other)

            desk.view.show_sketch(None if node_id is None else paint)

        cards = {each: canvas.card_rect(each) for each in canvas.node_items if each != start}
        choices = [self._target_choice(start, node_id) for node_id in reading_order(cards)]
        card = desk.view.mapFromScene(canvas.card_rect(start)).boundingRect()
        at = self._on_pages(desk, card.bottomLeft()) + QPoint(0, 10)
        prompt = translate("Connect", "Connect “{name}” to…").format(name=self._model.nodes[start].name)
        self.chooser.ask(prompt, choices, at, lambda other: desk.connect_nodes(start, other), lit)

    def _target_choice(self, start: str, node_id: str) -> Choice:
        node, refusal = self._model.nodes[node_id], why_not(self._model, start, node_id)
        card = card_of(node.kind)
        note = kind_word(node.kind) if refusal is None else message_words(refusal)
        return Choice(node_id, node.name, card.icon, card.tone, note, refusal is None)

    # --- What is selected

    def _open(self, desk: Desk) -> None:
        selected = desk.selected()
        if len(selected) == 1:
            desk.view.opened.emit(selected[0])

    def _rename(self, desk: Desk) -> None:
        selected = desk.selected()
        if len(selected) == 1:
            item = desk.view.canvas.node_items[selected[0]]
            place = item.card.title.translated(item.pos())
            name = self._model.nodes[item.node_id].name
            self._edit_in_place(
                desk, place, translate("Rename", "Name"), name, partial(desk.rename, item.node_id)
            )

    def _edit_in_place(
        self, desk: Desk, place: QRectF, what: str, words: str, taken: Callable[[str], None]
    ) -> None:
        """``place`` is one of the scene."""
        spot = desk.view.mapFromScene(place).boundingRect()
        field = InPlaceField(desk.view.viewport(), spot, desk.view.zoom, what, words)
        field.taken.connect(taken)
        field.left.connect(self._back_to_canvas)

    def _rename_variable(self, desk: Desk, connection: Connection) -> None:
        """The environment variable that a Connection carries."""
        if not desk.has_connection(connection):
            return
        item = desk.view.canvas.connection_items[connection.id]
        self._edit_in_place(
            desk,
            item.sign_rect,
            translate("Connection", "Environment variable"),
            connection.env or "",
            lambda name: desk.change_connection(connection, replace(connection, env=name)),
        )

    def _arrow(self, desk: Desk, way: QPoint, step: int) -> None:
        if not desk.nudge(way * step):
            desk.view.pan_by(-way * _KEY_PAN)

    # --- Menus and keys

    def _show_keys(self, desk: Desk) -> None:
        of_schedules = [action for action in desk.view.actions() if action.data()]
        others = {
            translate("Keys", "Schedules"): of_schedules,
            translate("Keys", "View"): list(self._window_actions.values()),
        }
        self._sheet = ShortcutSheet(others, self._pages)
        self._sheet.closed.connect(self._on_sheet_closed)
        self._sheet.open_sheet()

    def _on_sheet_closed(self) -> None:
        self._sheet = None
        self._back_to_canvas()

    def _open_menu_by_key(self, desk: Desk) -> None:
        selected, room = desk.selected(), desk.view.viewport().rect()
        at = room.center()
        if selected:
            at = desk.view.mapFromScene(desk.view.canvas.card_rect(selected[0]).center())
        desk.view.menu_wanted.emit(at)

    def _open_menu(self, desk: Desk, actions: Mapping[str, QAction], at: QPoint) -> None:
        menu = QMenu(desk.view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menus.fill_menu(menu, actions, self._model, desk, partial(self._rename_variable, desk))
        menu.popup(desk.view.viewport().mapToGlobal(at))

    def _on_acted(self, desk: Desk, node_id: str, action: str) -> None:
        """The state of a Specification is chosen from a list under its sign."""
        if action == CHOOSE_STATE:
            menu = QMenu(desk.view)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menus.fill_states(menu, self._model, desk, node_id)
            button = desk.view.canvas.card_rect(node_id).topRight() + QPointF(-150, HEADER)
            menu.popup(desk.view.viewport().mapToGlobal(desk.view.mapFromScene(button)))

    # --- Helpers

    def _do(self, command: str) -> None:
        if self._front is not None:
            self._commands[command](self._front)

    def _action(self, desk: Desk, command: str) -> QAction:
        action = QAction(desk.view)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: self._commands[command](desk))
        desk.view.addAction(action)
        return action

    def _key(self, view: CanvasView, keys: str, pressed: Callable[[], None]) -> None:
        action = QAction(view)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: pressed())
        view.addAction(action)

    def _show_history(self) -> None:
        if self._front is None:
            self.palette.show_history("", "")
        else:
            self.palette.show_history(self._front.history.undo_words, self._front.history.redo_words)

    def _back_to_canvas(self) -> None:
        if self._front is not None:
            self._front.view.setFocus()

    def _pointer(self, desk: Desk, on_screen: QPoint) -> Pointer:
        keys = QApplication.keyboardModifiers()
        return desk.view.pointer(desk.view.viewport().mapFromGlobal(on_screen), keys)

    def _on_pages(self, desk: Desk, at: QPoint) -> QPoint:
        return desk.view.viewport().mapTo(self._pages, at)
