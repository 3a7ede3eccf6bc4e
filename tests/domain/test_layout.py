"""Where cards go when nobody says: beside what they belong to, and in the way of nothing."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from kavor.domain.graph import NodeKind
from kavor.domain.layout import GAP, Box, Wire, free_place, partner_of, wire_between

K = NodeKind
kinds = st.lists(st.sampled_from(list(NodeKind)), max_size=25)


def laid_out(wanted: list[NodeKind]) -> list[tuple[Box, Box | None]]:
    """Each with the one beside which it was put; joined to that, where it may be."""
    made: list[tuple[Box, Box | None]] = []
    wires: list[Wire] = []
    for number, kind in enumerate(wanted):
        likely = partner_of(kind, wanted[:number])
        partner = None if likely is None else made[likely][0]
        box = Box.of(kind, *free_place(kind, partner, [each for each, _ in made], wires))
        made.append((box, partner))
        if partner is not None:
            wires.append(wire_between(partner, box))
    return made


@settings(deadline=None, max_examples=60)
@given(wanted=kinds)
def test_no_card_lies_over_another(wanted: list[NodeKind]) -> None:
    boxes = [box for box, _ in laid_out(wanted)]
    for number, box in enumerate(boxes):
        assert not any(box.is_near(other, 1) for other in boxes[:number])


@settings(deadline=None, max_examples=60)
@example([K.FILE, K.FILE, K.TERMINAL, K.TERMINAL, K.TERMINAL])
@given(wanted=st.lists(st.sampled_from(list(NodeKind)), max_size=5))
def test_no_card_lies_over_a_wire(wanted: list[NodeKind]) -> None:
    made = laid_out(wanted)
    for box, partner in made:
        if partner is not None:
            wire = wire_between(partner, box)
            assert not any(other.is_crossed_by(wire) for other, _ in made if other not in (box, partner))


def test_the_first_one_stands_at_the_origin() -> None:
    assert free_place(K.TERMINAL, None, [], []) == (0, 0)


def test_a_schedule_stands_left_of_its_target_and_in_line_with_it() -> None:
    target = Box.of(K.TERMINAL, 100, 50)
    schedule = Box.of(K.SCHEDULE, *free_place(K.SCHEDULE, target, [target], []))
    assert schedule.right + GAP == target.x
    assert abs(schedule.middle[1] - target.middle[1]) <= 1


def test_a_terminal_stands_right_of_its_agent_and_a_note_under_it() -> None:
    agent = Box.of(K.CODING_AGENT, 0, 0)
    terminal = Box.of(K.TERMINAL, *free_place(K.TERMINAL, agent, [agent], []))
    note = Box.of(K.STICKY_NOTE, *free_place(K.STICKY_NOTE, agent, [agent, terminal], []))
    assert terminal.x == agent.right + GAP
    assert note.y == agent.bottom + GAP


def test_a_place_is_left_free_for_the_wire_that_runs_there() -> None:
    agent, far = Box.of(K.CODING_AGENT, 0, 0), Box.of(K.TERMINAL, 1500, 0)
    cards, wire = [agent, far], wire_between(agent, far)
    there = Box.of(K.TERMINAL, *free_place(K.TERMINAL, agent, cards, []))
    assert there.is_crossed_by(wire)
    aside = Box.of(K.TERMINAL, *free_place(K.TERMINAL, agent, cards, [wire]))
    assert not aside.is_crossed_by(wire)


def test_it_goes_to_the_newest_agent_that_it_can_be_joined_to() -> None:
    there = [K.CODING_AGENT, K.CODING_AGENT, K.TERMINAL, K.STICKY_NOTE]
    assert partner_of(K.STICKY_NOTE, there) == 1
    assert partner_of(K.TERMINAL, there) == 1
    assert partner_of(K.SCHEDULE, there) == 2
    assert partner_of(K.SCHEDULE, [K.STICKY_NOTE, K.FILE]) == 1  # joined to none of them: to the newest
    assert partner_of(K.FILE, []) is None


def test_where_all_is_taken_it_goes_below() -> None:
    cards = [
        Box.of(K.STICKY_NOTE, 100 * column, 100 * row) for column in range(-20, 20) for row in range(-20, 20)
    ]
    partner = Box.of(K.STICKY_NOTE, 0, 0)
    x, y = free_place(K.STICKY_NOTE, partner, cards, [])
    assert (x, y) == (0, max(card.bottom for card in cards) + GAP)
