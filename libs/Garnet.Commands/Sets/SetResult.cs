// Replies with a computed set or stores it. Stateless.
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Replies with detached sets or stores them in a key.</summary>
internal static class SetResult
{
    private const int Target = 1;

    /// <summary>
    /// Reserves memory for the result of a STORE command, which has at most as many bytes as its sources; writes the error and returns
    /// false if memory is exhausted. Called before the first latch.
    /// </summary>
    public static bool TryReserve(ref CommandContext context)
    {
        if (context.Store.Store.Budget.MaxBytes == 0)
            return true;
        long bytes = 0;
        for (int i = Target + 1; i < context.Count; i++)
        {
            RecordInfoReader reader = default;
            context.Store.Reads.ReadAny(context[i], context.Hash(i), ref reader);
            bytes += reader.Length;
        }

        if (context.Store.Memory.TryReserve(bytes))
            return true;
        context.Reply.WriteError(ErrorText.OutOfMemory);
        return false;
    }

    /// <summary>Replies with the members; if there are many, in pieces from a snapshot that outlives the set.</summary>
    public static void Reply(ref CommandContext context, ref SetValue result)
    {
        if (context.MayReplyInPieces && result.TakeSnapshotIfLarge() is { } snapshot)
        {
            context.Suspend(new MemberPieces(snapshot, result.Length));
        }
        else
        {
            context.Reply.WriteSet(checked((int)result.Length));
            SetEnumerator members = result.GetEnumerator();
            while (members.MoveNext())
                Write(ref context.Reply, members.Element);
        }

        result.Discard();
    }

    /// <summary>
    /// Maximum number of members for which the encoding of a set, and so the order of its members, depends on what the members are; a
    /// larger set is a hashtable.
    /// </summary>
    public static long MaxInOrder(in CommandContext context)
    {
        CollectionLimits limits = context.Store.Store.CollectionLimits;
        return Math.Max(limits.SetMaxIntSetEntries, limits.SetMaxListPackEntries);
    }

    /// <summary>Writes a member of a set.</summary>
    public static void Write(ref RespWriter reply, scoped in PackedElement member)
    {
        if (member.IsInteger)
            reply.WriteBulkInteger(member.Integer);
        else
            reply.WriteBulk(member.Span);
    }

    /// <summary>
    /// Replaces the value of the key in argument 1 with the set, or removes the key if the set is empty, and replies with the number of
    /// members.
    /// </summary>
    public static void Store(ref CommandContext context, ref SetValue result)
    {
        long members = result.Length;
        RecordHandle target = context.OpenTarget(Target, members > 0);
        result.StoreTo(ref target);
        context.Reply.WriteInteger(members);
    }
}
