// The number of keys that EVAL, FCALL and their relatives are given. Stateless.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.Scripting;

/// <summary>The third argument says how many of the arguments after it are keys.</summary>
internal static class KeyCount
{
    /// <summary>The position of the number.</summary>
    public const int Argument = 2;

    /// <summary>The position of the first key.</summary>
    public const int FirstKey = Argument + 1;

    /// <summary>Whether there can be so many keys; writes the error if not.</summary>
    public static bool IsValid(ref CommandContext context, long count)
    {
        if (count >= 0 && count <= context.Count - FirstKey)
            return true;
        context.Reply.WriteError(
            count < 0 ? "ERR Number of keys can't be negative"u8 : "ERR Number of keys can't be greater than number of args"u8
        );
        return false;
    }
}
