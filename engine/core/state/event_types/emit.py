"""What `Transition.emit` takes: one overload for each type of event.

Written by `python -m engine.cli.event_forms` from the classes beside it; a test holds it to them.
"""

from __future__ import annotations

from typing import Literal, Protocol, overload

from engine.core.state.event_types.activations import (
    AttemptFailed,
    CircuitClosed,
    CircuitOpened,
    CompensationRun,
    CompensationStarted,
    EdgeEvaluated,
    NodeCancelled,
    NodeCompleted,
    NodeFailed,
    NodeInDoubt,
    NodeQueued,
    NodeSkipped,
    NodeStarted,
    NodeTimed,
    NodeWaiting,
    WriteDropped,
    WritesCollided,
)
from engine.core.state.event_types.asking import (
    InterruptAnsweredBack,
    InterruptAskedBack,
)
from engine.core.state.event_types.runs import (
    AgentPinned,
    BudgetRaised,
    BudgetThresholdReached,
    JoinForced,
    MemoryEdited,
    RunAdmitted,
    RunCancelled,
    RunCompleted,
    RunEnding,
    RunFailed,
    RunQueued,
    RunStarted,
    RunTimedOut,
    RunTransitioned,
)
from engine.core.state.event_types.steps import (
    MemoryQueryFailed,
    MessageEmitted,
    NodeStateSet,
    RowShown,
    StepCompleted,
    StepFailed,
    StepIntended,
    StepRecorded,
    StructuredEmitted,
    WorkflowStateSet,
)
from engine.core.state.event_types.waits import (
    ChildrenRequested,
    ChildRunEnded,
    ChildRunRequested,
    ChildRunWaiting,
    DecisionDropped,
    DecisionRecorded,
    InterruptEscalated,
    InterruptOpened,
    InterruptReminded,
    InterruptResolved,
    TimerFired,
)
from engine.core.state.events import Event


class Emit(Protocol):
    """Append an event of a type, with the key and the fields that it has, and apply it."""

    @overload
    def __call__(self, type_: Literal["RunStarted"], key: None, data: RunStarted) -> Event: ...

    @overload
    def __call__(self, type_: Literal["RunQueued"], key: None, data: RunQueued) -> Event: ...

    @overload
    def __call__(self, type_: Literal["RunAdmitted"], key: None, data: RunAdmitted) -> Event: ...

    @overload
    def __call__(self, type_: Literal["RunEnding"], key: None, data: RunEnding) -> Event: ...

    @overload
    def __call__(self, type_: Literal["RunCompleted"], key: None, data: RunCompleted) -> Event: ...

    @overload
    def __call__(self, type_: Literal["RunFailed"], key: None, data: RunFailed) -> Event: ...

    @overload
    def __call__(self, type_: Literal["RunTimedOut"], key: None, data: RunTimedOut) -> Event: ...

    @overload
    def __call__(self, type_: Literal["RunCancelled"], key: None, data: RunCancelled) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["RunTransitioned"], key: str, data: RunTransitioned
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["BudgetThresholdReached"], key: None, data: BudgetThresholdReached
    ) -> Event: ...

    @overload
    def __call__(self, type_: Literal["BudgetRaised"], key: str, data: BudgetRaised) -> Event: ...

    @overload
    def __call__(self, type_: Literal["AgentPinned"], key: None, data: AgentPinned) -> Event: ...

    @overload
    def __call__(self, type_: Literal["MemoryEdited"], key: None, data: MemoryEdited) -> Event: ...

    @overload
    def __call__(self, type_: Literal["JoinForced"], key: None, data: JoinForced) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeQueued"], key: str, data: NodeQueued) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeStarted"], key: str, data: NodeStarted) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeWaiting"], key: str, data: NodeWaiting) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeTimed"], key: str, data: NodeTimed) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeCompleted"], key: str, data: NodeCompleted) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeFailed"], key: str, data: NodeFailed) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeSkipped"], key: str, data: NodeSkipped) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeCancelled"], key: str, data: NodeCancelled) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeInDoubt"], key: str, data: NodeInDoubt) -> Event: ...

    @overload
    def __call__(self, type_: Literal["AttemptFailed"], key: str, data: AttemptFailed) -> Event: ...

    @overload
    def __call__(self, type_: Literal["EdgeEvaluated"], key: str, data: EdgeEvaluated) -> Event: ...

    @overload
    def __call__(self, type_: Literal["WriteDropped"], key: str, data: WriteDropped) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["WritesCollided"], key: str, data: WritesCollided
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["CompensationStarted"], key: str, data: CompensationStarted
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["CompensationRun"], key: str, data: CompensationRun
    ) -> Event: ...

    @overload
    def __call__(self, type_: Literal["CircuitOpened"], key: str, data: CircuitOpened) -> Event: ...

    @overload
    def __call__(self, type_: Literal["CircuitClosed"], key: str, data: CircuitClosed) -> Event: ...

    @overload
    def __call__(self, type_: Literal["StepIntended"], key: str, data: StepIntended) -> Event: ...

    @overload
    def __call__(self, type_: Literal["StepCompleted"], key: str, data: StepCompleted) -> Event: ...

    @overload
    def __call__(self, type_: Literal["StepFailed"], key: str, data: StepFailed) -> Event: ...

    @overload
    def __call__(self, type_: Literal["StepRecorded"], key: str, data: StepRecorded) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["MessageEmitted"], key: str, data: MessageEmitted
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["StructuredEmitted"], key: str, data: StructuredEmitted
    ) -> Event: ...

    @overload
    def __call__(self, type_: Literal["RowShown"], key: str, data: RowShown) -> Event: ...

    @overload
    def __call__(self, type_: Literal["NodeStateSet"], key: str, data: NodeStateSet) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["WorkflowStateSet"], key: str, data: WorkflowStateSet
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["MemoryQueryFailed"], key: str, data: MemoryQueryFailed
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["InterruptOpened"], key: str, data: InterruptOpened
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["InterruptResolved"], key: str, data: InterruptResolved
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["DecisionRecorded"], key: str, data: DecisionRecorded
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["DecisionDropped"], key: str, data: DecisionDropped
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["InterruptReminded"], key: str, data: InterruptReminded
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["InterruptEscalated"], key: str, data: InterruptEscalated
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["ChildrenRequested"], key: str, data: ChildrenRequested
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["ChildRunRequested"], key: str, data: ChildRunRequested
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["ChildRunWaiting"], key: str, data: ChildRunWaiting
    ) -> Event: ...

    @overload
    def __call__(self, type_: Literal["ChildRunEnded"], key: str, data: ChildRunEnded) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["TimerFired"], key: str | None, data: TimerFired
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["InterruptAskedBack"], key: str, data: InterruptAskedBack
    ) -> Event: ...

    @overload
    def __call__(
        self, type_: Literal["InterruptAnsweredBack"], key: str, data: InterruptAnsweredBack
    ) -> Event: ...
