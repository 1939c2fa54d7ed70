// A large reply with entries of a stream. Belongs to the connection's thread.
using Garnet.Engine.Arguments;
using Garnet.Protocol;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Sends a number of entries in a range of IDs, ascending or descending.</summary>
internal sealed class EntryPieces(CollectionSnapshot snapshot, StreamId start, StreamId end, long count, bool isReverse)
    : CollectionSnapshotReply(snapshot)
{
    private StreamId _from = start;
    private StreamId _to = end;
    private long _left = count;

    /// <inheritdoc/>
    protected override void WriteHeader(ref RespWriter reply) => reply.WriteArray(checked((int)_left));

    /// <inheritdoc/>
    protected override bool WritePiece(ref RespWriter reply, long end)
    {
        foreach (StreamEntry entry in Snapshot.Entries(_from, _to, isReverse))
        {
            EntryReply.Write(ref reply, in entry);
            if (--_left == 0)
                return true;
            if (reply.BytesWritten < end)
                continue;
            if (isReverse)
                _to = StreamIdText.Previous(entry.Id);
            else
                _from = StreamIdText.Next(entry.Id);
            return false;
        }

        return true;
    }
}
