// The argument of FLUSHDB and FLUSHALL. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary><c>[ASYNC | SYNC]</c>: both take constant time here, and memory is freed later.</summary>
internal static class FlushMode
{
    /// <summary>Whether the argument is valid or absent; writes the error otherwise.</summary>
    public static bool IsValid(ref CommandContext context)
    {
        if (context.Count == 1 || (context.Count == 2 && (context.Is(1, "SYNC"u8) || context.Is(1, "ASYNC"u8))))
            return true;
        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }
}
