"""The texts of one canvas: which is edited, what is typed and not saved, and what is saved over what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from kavor.api.client import Client, Document, EditedElsewhere
from kavor.canvas.commands.edit_text import SavedText
from kavor.canvas.edits import Edits
from kavor.canvas.link import Link, LinkState
from kavor.canvas.observe import Notice
from kavor.canvas.qt import QColor, QObject, QPointF, translate
from kavor.canvas.texts.draft import Draft, Text
from kavor.canvas.texts.glimpses import Glimpses
from kavor.canvas.texts.spelling import is_kept_by_a_field
from kavor.canvas.texts.text_overlay import TextOverlay
from kavor.canvas.theme import Theme
from kavor.canvas.things import Node
from kavor.canvas.view import CanvasView
from kavor.domain.errors import KavorError, Refused
from kavor.domain.graph import NodeKind
from kavor.domain.sticky_note import check_note

USABLE = 0.75
"""A text that is to be edited is brought to 100 % from below this zoom."""

_KINDS = frozenset({NodeKind.STICKY_NOTE, NodeKind.FILE, NodeKind.SPECIFICATION})


class Texts(QObject):
    """A Sticky Note is saved when it is left, a file when the person says so."""

    def __init__(self, view: CanvasView, link: Link, edits: Edits, theme: Theme) -> None:
        super().__init__(view)
        self.saved = Notice[[SavedText]]()
        """What a save has changed."""
        self._view = view
        self._canvas = view.canvas
        self._model = view.canvas.model
        self._link = link
        self._edits = edits
        self._theme = theme
        self._drafts: dict[str, Draft] = {}
        self._saving: set[str] = set()
        self._save_again: set[str] = set()
        """Of those that are being saved, the ones that were to be saved anew meanwhile."""
        self._saves: Counter[str] = Counter()
        """How often a save of each has begun or ended: what was read across one of these may be older."""
        self._settled: dict[str, Callable[[bool], None]] = {}
        """Who waits to hear whether a text was saved."""
        self._used: tuple[str, TextOverlay] | None = None
        self._wanted = ""
        """The Node whose text is edited as soon as it was read."""
        self._glimpses = Glimpses(view, link)
        view.opened.connect(self._on_opened)
        view.clicked_again.connect(self._on_clicked_again)
        self._model.node_changed.connect(self._on_node)
        self._model.node_removed.connect(self._on_removed)
        self._model.reloaded.connect(self._on_reloaded)

    def release(self) -> None:
        """Before the view goes."""
        self.leave()
        self._glimpses.release()
        self._model.node_changed.disconnect(self._on_node)
        self._model.node_removed.disconnect(self._on_removed)
        self._model.reloaded.disconnect(self._on_reloaded)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._used is not None:
            node_id, overlay = self._used
            overlay.set_theme(theme, self._ground(self._model.nodes[node_id]))

    # --- Editing one

    @property
    def overlay(self) -> TextOverlay | None:
        """The one that keys go to."""
        return None if self._used is None else self._used[1]

    def use(self, node_id: str) -> None:
        """Edit it in place; a file is read first."""
        if self._used is not None and self._used[0] == node_id:
            self._used[1].setFocus()
            return
        self._wanted = node_id
        node = self._model.nodes[node_id]
        if node_id in self._drafts:
            self._begin(node_id)
        elif node.note is not None:
            self._drafts[node_id] = Draft.of(_note_text(node))
            self._begin(node_id)
        else:
            self._read(node_id)

    def _begin(self, node_id: str) -> None:
        self._wanted = ""
        node = self._model.nodes.get(node_id)
        if node is None or node_id not in self._canvas.node_items:
            return
        if self._view.zoom < USABLE:
            self._view.set_zoom(1.0)
            self._view.show_node(node_id)
        self._view.reveal(node_id)
        self.leave()
        is_note = node.kind is NodeKind.STICKY_NOTE
        overlay = TextOverlay(
            node.name,
            check_note if is_note else lambda text: None,
            mono=node.kind is NodeKind.FILE,
            saves_by_itself=is_note,
            parent=self._view.viewport(),
        )
        overlay.set_theme(self._theme, self._ground(node))
        overlay.show_draft(self._drafts[node_id])
        overlay.caret_to_end() if is_note else None
        overlay.typed.connect(lambda text: self._on_typed(node_id, text))
        overlay.left.connect(self.leave)
        overlay.save_wanted.connect(lambda: self._on_save_wanted(node_id))
        overlay.theirs_taken.connect(lambda: self._take_theirs(node_id))
        overlay.mine_kept.connect(lambda: self._keep_mine(node_id))
        self._used = (node_id, overlay)
        self._view.show_live(node_id, overlay)
        overlay.setFocus()

    def leave(self) -> None:
        """Back to the canvas."""
        self._wanted = ""
        used, self._used = self._used, None
        if used is None:
            return
        node_id, overlay = used
        overlay.release()
        if overlay.isAncestorOf(self._view.window().focusWidget() or overlay):
            self._view.setFocus()  # before it is hidden, which would hand the focus on as Tab does
        self._view.hide_live()
        overlay.deleteLater()
        draft, node = self._drafts.get(node_id), self._model.nodes.get(node_id)
        if draft is None or node is None:
            return
        if (
            node.kind is NodeKind.STICKY_NOTE
            and self._is_to_be_saved(node_id)
            and draft.conflict is None
            and overlay.is_sound
        ):
            self._save(node_id)
        self._settle(node_id)

    def _settle(self, node_id: str) -> None:
        """Tell the card whether something is unsaved; forget a draft with which there is nothing to do."""
        draft = self._drafts.get(node_id)
        in_use = self._used is not None and self._used[0] == node_id
        if draft is None or not draft.is_changed:
            if not in_use and node_id not in self._saving:
                self._drafts.pop(node_id, None)
            self._model.tell_unsaved(node_id, None)
        elif in_use or node_id in self._saving:
            self._model.tell_unsaved(node_id, None)
        else:
            self._model.tell_unsaved(node_id, draft.conflict is not None)
        if in_use and draft is not None and self._used is not None:
            self._used[1].show_draft(draft)

    def _ground(self, node: Node) -> QColor:
        return self._theme.card if node.note is None else self._theme.of_note(node.note.colour)

    # --- Unsaved texts, for whoever closes the window

    def unsaved(self) -> list[str]:
        """The Nodes over whose text something was typed that is not saved."""
        return [
            node_id
            for node_id, draft in self._drafts.items()
            if draft.is_changed or node_id in self._save_again
        ]

    def is_lost_with(self, node_id: str) -> bool:
        """Whether something typed over its text would go with the Node; what is being saved goes before."""
        draft = self._drafts.get(node_id)
        return draft is not None and draft.is_changed and node_id not in self._saving

    def unsaved_names(self) -> list[str]:
        return [self._model.nodes[node_id].name for node_id in self.unsaved()]

    def save_then(self, node_id: str, settled: Callable[[bool], None]) -> None:
        """Save it, and tell whether it is; not over what was edited elsewhere since."""
        if self._drafts[node_id].conflict is not None:
            settled(False)
            return
        self._settled[node_id] = settled
        self._save(node_id)

    def discard_unsaved(self) -> None:
        for node_id in self.unsaved():
            self._save_again.discard(node_id)
            draft = self._drafts[node_id]
            draft.typed, draft.conflict = draft.base.text, None
            self._settle(node_id)

    # --- What the overlay tells

    def _on_typed(self, node_id: str, text: str) -> None:
        self._drafts[node_id].typed = text
        self._settle(node_id)

    def _on_save_wanted(self, node_id: str) -> None:
        if self._model.nodes[node_id].kind is NodeKind.STICKY_NOTE:
            self.leave()
        elif self._is_to_be_saved(node_id) and self._drafts[node_id].conflict is None:
            self._save(node_id)

    def _take_theirs(self, node_id: str) -> None:
        self._drafts[node_id].take_theirs()
        self._settle(node_id)

    def _keep_mine(self, node_id: str) -> None:
        self._drafts[node_id].keep_mine()
        self._save(node_id)
        self._settle(node_id)

    # --- Reading and saving

    def _read(self, node_id: str) -> None:
        saves = self._saves[node_id]

        def answered(document: Document) -> None:
            present = Text(document["text"], document["version"])
            if node_id in self._saving or saves != self._saves[node_id]:
                return  # after the save it is read again
            if node_id in self._drafts:
                self._drafts[node_id].meet(present)
                self._settle(node_id)
            elif self._wanted == node_id and not is_kept_by_a_field(present.text):
                failed(_not_for_a_field())
            elif self._wanted == node_id:
                self._drafts[node_id] = Draft.of(present)
                self._begin(node_id)

        def failed(error: KavorError) -> None:
            if self._wanted == node_id:
                self._wanted = ""
                self._edits.refused.emit(node_id, error)

        self._link.ask(lambda client: client.get(f"/api/nodes/{node_id}/text"), answered, failed)

    def _is_to_be_saved(self, node_id: str) -> bool:
        """What is being saved is not what is typed any more, even if that is what was there before."""
        return self._drafts[node_id].is_changed or node_id in self._saving

    def _save(self, node_id: str) -> None:
        if node_id in self._saving:
            self._save_again.add(node_id)
            return
        draft = self._drafts[node_id]
        before, text, version = draft.base.text, draft.typed, draft.base.version
        self._saving.add(node_id)
        self._saves[node_id] += 1

        def ended() -> None:
            self._saving.discard(node_id)
            self._saves[node_id] += 1

        def put(client: Client) -> Document:
            return client.put(f"/api/nodes/{node_id}/text", {"text": text}, version=version)

        def saved(document: Document) -> None:
            ended()
            draft.saved(text, document["version"])
            self._save_what_came_meanwhile(node_id)
            self._read_if_in_a_file(node_id)
            self._settle(node_id)
            self.saved.emit(SavedText(node_id, before, text))
            self._tell_settled(node_id)

        def refused(error: KavorError) -> None:
            ended()
            self._save_again.discard(node_id)
            if isinstance(error, EditedElsewhere):
                self._meet(node_id, Text(error.present["text"], error.present["version"]))
            elif self._used is not None and self._used[0] == node_id:
                self._used[1].say(error)
            else:
                self._edits.refused.emit(node_id, error)
            self._settle(node_id)
            self._tell_settled(node_id)

        self._link.change(put, saved, refused)

    def _read_if_in_a_file(self, node_id: str) -> None:
        """It may have been changed while it was saved."""
        node = self._model.nodes.get(node_id)
        if node is not None and node.note is None and node_id in self._drafts:
            self._read(node_id)

    def _save_what_came_meanwhile(self, node_id: str) -> None:
        if node_id not in self._save_again:
            return
        self._save_again.discard(node_id)
        draft = self._drafts.get(node_id)
        if draft is not None and draft.is_changed and draft.conflict is None:
            self._save(node_id)

    def _tell_settled(self, node_id: str) -> None:
        if node_id in self._settled and node_id not in self._saving:
            self._settled.pop(node_id)(node_id not in self.unsaved())

    def _meet(self, node_id: str, present: Text) -> None:
        """A save was refused: this is there. Save again where nothing of theirs would be lost."""
        draft = self._drafts[node_id]
        draft.meet(present)
        if draft.conflict is None and draft.is_changed:
            self._save(node_id)

    # --- What happens

    def _on_opened(self, node_id: str) -> None:
        if self._model.nodes[node_id].kind in _KINDS:
            self.use(node_id)

    def _on_clicked_again(self, node_id: str, at: QPointF) -> None:
        item = self._canvas.node_items[node_id]
        if item.kind in _KINDS and item.card.content.contains(at):
            self.use(node_id)

    def _on_node(self, node_id: str) -> None:
        if node_id not in self._drafts:
            return
        node = self._model.nodes[node_id]
        if node.note is None:
            self._read(node_id)
        elif node_id not in self._saving:
            self._drafts[node_id].meet(_note_text(node))
            self._settle(node_id)

    def _on_removed(self, node: Node) -> None:
        self._drafts.pop(node.id, None)
        if self._used is not None and self._used[0] == node.id:
            self.leave()

    def _on_reloaded(self) -> None:
        for node_id in tuple(self._drafts):
            if node_id not in self._model.nodes:
                self._drafts.pop(node_id)
                if self._used is not None and self._used[0] == node_id:
                    self.leave()
            elif self._link.state is LinkState.CONNECTED:
                self._on_node(node_id)


def _not_for_a_field() -> Refused:
    return Refused(
        translate("Texts", "Its lines end in several ways, which would not all be kept"),
        translate("Texts", "edit it in a Terminal"),
    )


def _note_text(node: Node) -> Text:
    assert node.note is not None
    return Text(node.note.text, str(node.revision))
