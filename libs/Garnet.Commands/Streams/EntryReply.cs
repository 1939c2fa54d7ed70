// Writes entries of streams. Stateless.
using Garnet.Protocol;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Writes each entry as an array of its ID and an array of alternating fields and values.</summary>
internal static class EntryReply
{
    /// <summary>Writes an array of the entries in a range of IDs, up to a maximum (0: all), and returns their number.</summary>
    public static int WriteRange(
        ref RespWriter reply,
        scoped in StreamView view,
        StreamId start,
        StreamId end,
        long maxCount,
        bool isReverse = false
    )
    {
        int count = Count(in view, start, end, maxCount);
        WriteCounted(ref reply, in view, start, end, count, isReverse);
        return count;
    }

    /// <summary>As <see cref="WriteRange"/>, for a known number of entries.</summary>
    public static void WriteCounted(
        ref RespWriter reply,
        scoped in StreamView view,
        StreamId start,
        StreamId end,
        int count,
        bool isReverse
    )
    {
        reply.WriteArray(count);
        if (count == 0)
            return;
        int left = count;
        foreach (StreamEntry entry in view.Range(start, end, isReverse))
        {
            Write(ref reply, in entry);
            if (--left == 0)
                break;
        }
    }

    /// <summary>Writes the entry with an ID; false if there is none.</summary>
    public static bool TryWrite(ref RespWriter reply, scoped in StreamView view, StreamId id)
    {
        foreach (StreamEntry entry in view.Range(id, id))
        {
            Write(ref reply, in entry);
            return true;
        }

        return false;
    }

    /// <summary>Writes one entry.</summary>
    public static void Write(ref RespWriter reply, scoped in StreamEntry entry)
    {
        reply.WriteArray(2);
        StreamIdText.Write(ref reply, entry.Id);
        reply.WriteArray(entry.Fields * 2);
        foreach (HashField field in entry)
        {
            reply.WriteBulk(field.Field);
            reply.WriteBulk(field.Value);
        }
    }

    /// <summary>The number of entries in a range of IDs, up to a maximum (0: all).</summary>
    public static int Count(scoped in StreamView view, StreamId start, StreamId end, long maxCount)
    {
        if (view.Length == 0 || start > end)
            return 0;
        long wanted = maxCount == 0 ? long.MaxValue : maxCount;
        if (start <= view.FirstId && end >= view.LastId)
            return checked((int)Math.Min(wanted, view.Length));
        int count = 0;
        foreach (StreamEntry _ in view.Range(start, end))
        {
            if (++count == wanted)
                break;
        }

        return count;
    }

    /// <summary>Whether there is an entry after an ID.</summary>
    public static bool HasAfter(scoped in StreamView view, StreamId id) =>
        view.Length > 0 && id < view.LastId && view.Range(StreamIdText.Next(id), StreamId.Max).MoveNext();
}
