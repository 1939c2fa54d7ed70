// What becomes of a set that a command computed: a reply or a key. Stateless.
using Garnet.Store;

namespace Garnet.Server.Commands.Sets;

/// <summary>Ends sets under no key.</summary>
internal static class SetResult
{
    private const int Target = 1;

    /// <summary>Takes credit for the result of a STORE command, which has at most the sources' bytes; answers the error and false when memory is exhausted. Asked before the first latch.</summary>
    public static bool TryReserve(ref CommandContext context)
    {
        if (context.Server.Configuration.Current.MaxMemoryBytes == 0)
            return true;
        long bytes = 0;
        for (int i = Target + 1; i < context.Count; i++)
        {
            Keys.RecordInfoReader reader = default;
            context.Store.ReadAny(context[i], context.Hash(i), ref reader);
            bytes += reader.Length;
        }

        if (context.Store.TryReserve(bytes))
            return true;
        context.Reply.WriteError(ErrorText.OutOfMemory);
        return false;
    }

    /// <summary>Replies with the members; with many of them piece by piece, from a picture that outlives the set.</summary>
    public static void Reply(ref CommandContext context, ref SetValue result)
    {
        if (context.MayReplyInPieces && result.TakePictureIfLarge() is { } picture)
        {
            context.Suspend(new MemberPieces(picture, result.Length));
        }
        else
        {
            context.Reply.WriteSet(checked((int)result.Length));
            foreach (ReadOnlySpan<byte> member in result)
                context.Reply.WriteBulk(member);
        }

        result.Discard();
    }

    /// <summary>Puts the set in the place of what argument 1 holds, or removes the key when the set is empty, and replies with the number of members.</summary>
    public static void Store(ref CommandContext context, ref SetValue result)
    {
        long members = result.Length;
        RecordHandle target = context.OpenTarget(Target, members > 0);
        result.StoreTo(ref target);
        context.Reply.WriteInteger(members);
    }
}
