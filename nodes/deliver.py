"""Say it, before any book-keeping: by voice, as text, or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from state.attention import QuietHours
from state.channels import State
from state.output import ChosenChannel, Utterance
from state.response import Delivery, Response
from state.stages import Composed
from tools.attention import delivery_context
from tools.platform.clock import Clock
from tools.ports import NoticeStream, SpeechPort
from tools.response import ChannelSelector
from tools.response.template_replies import spoken_text


@dataclass(frozen=True)
class Deliver:
    """Tell whoever listens, and speak what is to be spoken; silence has its reason too."""

    telling: NoticeStream
    clock: Clock
    voice: SpeechPort | None = None
    choosing: ChannelSelector = field(default_factory=ChannelSelector)
    speeds: Mapping[str, float] = field(default_factory=dict)
    """`high_threat` and `casual` → how fast, 1 is usual."""
    zone: tzinfo = UTC
    usual_quiet: QuietHours | None = None
    quip_seconds: float = 0.0
    """So long after a joke it counts as made lately."""

    async def __call__(self, state: Composed) -> State:
        now = self.clock.now()
        response = state.response
        if state.event.call is not None:  # the answer goes to the agent that called
            return {"delivery": Delivery(output="silent", delivered_at=now, reason="returned")}
        if not response.text:
            return {"delivery": Delivery(output="silent", delivered_at=now, reason="no_words")}
        chosen = self._chosen(state)
        if chosen.output == "silent":
            reason = chosen.instead or "silent_by_preference"
            return {"delivery": Delivery(output="silent", delivered_at=now, reason=reason)}
        delivery = Delivery(
            output=chosen.output,
            interrupt=chosen.interrupt or response.type == "alert",
            delivered_at=now,
            reason="answered" if state.event.is_addressed else state.timing.reason,
            instead=chosen.instead,
        )
        self._tell(state, delivery)
        if delivery.output == "speech" and self.voice is not None:
            self.voice.say(self._utterance(state, response, urgent=chosen.interrupt))
        return {"delivery": delivery}

    def _chosen(self, state: Composed) -> ChosenChannel:
        if state.outcome is not None:
            return ChosenChannel("action")
        relevance = state.relevance
        left_out = state.salience.suppressed is not None and state.salience.suppressed_threats
        if relevance.verdict == "alert" and left_out:
            return ChosenChannel("text", instead="left_out")  # they asked for no alarms of this
        moment = delivery_context(
            state,
            self.clock.now(),
            zone=self.zone,
            usual_quiet=self.usual_quiet,
            quip_seconds=self.quip_seconds,
            has_voice=self.voice is not None and self.voice.is_ready,
        )
        return self.choosing.choose(state.response.type, moment)

    def _tell(self, state: Composed, delivery: Delivery) -> None:
        self.telling.tell(
            "output",
            state.event.tenant_id,
            {
                "decision_id": state.arrival.decision_id,
                "session_id": state.event.session_id,
                "type": state.response.type,
                "text": state.response.text,
                "interrupt": delivery.interrupt,
                "output": delivery.output,
            },
            (state.event.session_id,),
        )

    def _utterance(self, state: Composed, response: Response, *, urgent: bool) -> Utterance:
        casual = response.type in ("quip", "check_in")
        pace = "high_threat" if response.type == "alert" else "casual" if casual else ""
        return Utterance(
            decision_id=state.arrival.decision_id,
            tenant_id=state.event.tenant_id,
            session_id=state.event.session_id,
            text=spoken_text(response.text),
            urgent=urgent,
            speed=self.speeds.get(pace, 1.0),
        )
