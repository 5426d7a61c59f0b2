"""Large values of runs that leave the tables: those go that no other run mentions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import connection
from django.db.models import Exists, OuterRef

from builder.models import Blob, RunBlob


def drop_blobs(runs: Sequence[str], keep: Collection[str] = ()) -> int:
    """Delete the runs' blobs, but `keep`, that no other run mentions; return how many."""
    if connection.vendor == "postgresql":
        # a run that is just being written may mention a blob which is there already
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE builder_blob IN SHARE ROW EXCLUSIVE MODE")
    mine = RunBlob.objects.filter(run__in=runs).exclude(hash__in=list(keep))
    hashes = list(mine.values_list("hash", flat=True).distinct())
    if not hashes:
        return 0
    mine.delete()
    others = RunBlob.objects.filter(hash=OuterRef("pk"))
    return Blob.objects.filter(~Exists(others), pk__in=hashes).delete()[0]
