"""`prefrontal evals`: every command that measures the system."""

import typer

from evals.journal.command import journal
from evals.langsmith.feedback import PAIRED, SENT, SYNCED, feedback, pairwise, sync
from evals.robustness.external_labels import EXAMPLE, labelled
from evals.robustness.frame_recall import EXAMPLE as FRAMED
from evals.robustness.frame_recall import frame
from evals.robustness.mutations import mutate
from evals.robustness.side_effects import act_out
from evals.runner.compare import EXAMPLE as COMPARED
from evals.runner.compare import compare
from evals.runner.promotion import EXAMPLE as PROMOTED
from evals.runner.promotion import promote_decisions
from evals.runner.replay import replay
from evals.runner.report_page import EXAMPLE as DRAWN
from evals.runner.report_page import page
from evals.runner.run import EXAMPLE as RUN
from evals.runner.run import run
from evals.simulation.simulate import EXAMPLE as SIMULATED
from evals.simulation.simulate import simulate
from evals.simulation.streams import speaking
from evals.training.actionability import EXAMPLE as EXAMPLE_OF_WISHES
from evals.training.actionability import wishes
from evals.training.adapt import EXAMPLE as ADAPTED
from evals.training.adapt import adapt
from evals.training.learning_curve import EXAMPLE as DRAWN_OUT
from evals.training.learning_curve import curve

app = typer.Typer(
    no_args_is_help=True,
    help="Judge the system on labelled cases.",
    epilog="Example: prefrontal evals run vessel_requests",
)


app.command("run", epilog=RUN)(run)
app.command("page", epilog=DRAWN)(page)
app.command("replay", epilog="Example: prefrontal evals replay vessel --show")(replay)
app.command("labelled", epilog=EXAMPLE)(labelled)
app.command("curve", epilog=DRAWN_OUT)(curve)
app.command("adapt", epilog=ADAPTED)(adapt)
app.command("wishes", epilog=EXAMPLE_OF_WISHES)(wishes)
app.command("journal", epilog="Example: prefrontal evals journal minutes.jsonl --misses")(journal)
app.command("mutations", epilog="Example: prefrontal evals mutations --pack vessel --by-shape")(
    mutate
)
app.command("frames", epilog=FRAMED)(frame)
app.command("acted", epilog="Example: prefrontal evals acted --pack vessel --shard 1/2")(act_out)
app.command(
    "speaking", epilog="Example: prefrontal evals speaking streams.jsonl --labels labels.jsonl"
)(speaking)
app.command("simulate", epilog=SIMULATED)(simulate)
app.command("promote", epilog=PROMOTED)(promote_decisions)
app.command("sync", epilog=SYNCED)(sync)
app.command("feedback", epilog=SENT)(feedback)
app.command("pairwise", epilog=PAIRED)(pairwise)
app.command("compare", epilog=COMPARED)(compare)
