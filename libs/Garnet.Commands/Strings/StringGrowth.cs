// Limits the growth of strings and reserves memory for it. Stateless; called before the key is latched.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Limits for commands that can make a string longer than their arguments.</summary>
internal static class StringGrowth
{
    private const long RecordOverheadBytes = 64;

    /// <summary>Maximum length of a string in bytes.</summary>
    public static long Limit(in CommandContext context) => Math.Min(context.Settings.MaxStringBytes, HybridLogStore.MaxStringBytes);

    /// <summary>Whether <paramref name="added"/> bytes after <paramref name="size"/> exceed the maximum length.</summary>
    public static bool IsTooLong(in CommandContext context, long size, long added)
    {
        long total = unchecked(size + added);
        return total > Limit(in context) || total < size;
    }

    /// <summary>
    /// Reserves memory to grow the string at a key to a length or by a number of bytes, whichever is more; writes the error and returns
    /// false if memory is exhausted. Without a memory limit, nothing is looked up.
    /// </summary>
    public static bool TryReserve(ref CommandContext context, int keyArgument, long length, long added)
    {
        if (context.Store.Store.Budget.MaxBytes == 0)
            return true;
        LengthReader reader = default;
        context.Store.Reads.Read(context[keyArgument], context.Hash(keyArgument), RecordType.String, ref reader);
        length = Math.Max(length, reader.Length + added);

        // A value that does not fit in its record is copied, and the old memory is freed only later.
        if (length <= reader.Length || context.Store.Memory.TryReserve(length + RecordOverheadBytes))
            return true;
        context.Reply.WriteError(ErrorText.OutOfMemory);
        return false;
    }
}
