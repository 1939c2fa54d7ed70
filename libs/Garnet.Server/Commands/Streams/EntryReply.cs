// Entries of streams as replies. Stateless.
using Garnet.Protocol;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Streams;

namespace Garnet.Server.Commands.Streams;

/// <summary>Writes entries: each an array of its ID and of its fields and values in turn.</summary>
internal static class EntryReply
{
    /// <summary>Writes an array of the entries between two IDs, of at most so many (0: of all); returns how many.</summary>
    public static int WriteRange(
        ref RespWriter reply,
        scoped in StreamView view,
        StreamId start,
        StreamId end,
        long most,
        bool isReverse = false
    )
    {
        int count = Count(in view, start, end, most);
        WriteCounted(ref reply, in view, start, end, count, isReverse);
        return count;
    }

    /// <summary>As <see cref="WriteRange"/> when it is known how many there are.</summary>
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

    /// <summary>Writes the entry of an ID; false when there is none.</summary>
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

    /// <summary>How many entries lie between two IDs, counted up to a number (0: all).</summary>
    public static int Count(scoped in StreamView view, StreamId start, StreamId end, long most)
    {
        if (view.Length == 0 || start > end)
            return 0;
        long wanted = most == 0 ? long.MaxValue : most;
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
