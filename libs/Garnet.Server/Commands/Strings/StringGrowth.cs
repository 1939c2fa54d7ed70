// How far a string may grow, and the memory for it. Stateless; asked before the key is latched.
using Garnet.Server.CommandModel;
using Garnet.Store;

namespace Garnet.Server.Commands.Strings;

/// <summary>Limits of the commands that make a string longer than their arguments are.</summary>
internal static class StringGrowth
{
    private const long RecordOverheadBytes = 64;

    /// <summary>The longest string a client may make, in bytes.</summary>
    public static long Limit(in CommandContext context) =>
        Math.Min(context.Server.Configuration.Current.ProtoMaxBulkLengthBytes, HybridLogStore.MaxStringBytes);

    /// <summary>Whether <paramref name="added"/> bytes after <paramref name="size"/> make a string that is too long.</summary>
    public static bool IsTooLong(in CommandContext context, long size, long added)
    {
        long total = unchecked(size + added);
        return total > Limit(in context) || total < size;
    }

    /// <summary>
    /// Takes credit for growing the string at a key argument to a length, or by a number of bytes, whichever is more; writes the error and
    /// returns false when memory is exhausted. Nothing is looked up while memory has no limit.
    /// </summary>
    public static bool TryReserve(ref CommandContext context, int keyArgument, long length, long added)
    {
        if (context.Server.Configuration.Current.MaxMemoryBytes == 0)
            return true;
        LengthReader reader = default;
        context.Store.Read(context[keyArgument], context.Hash(keyArgument), RecordType.String, ref reader);
        length = Math.Max(length, reader.Length + added);

        // A value that does not fit its place is copied, and the old bytes are free only later.
        if (length <= reader.Length || context.Store.TryReserve(length + RecordOverheadBytes))
            return true;
        context.Reply.WriteError(ErrorText.OutOfMemory);
        return false;
    }
}
