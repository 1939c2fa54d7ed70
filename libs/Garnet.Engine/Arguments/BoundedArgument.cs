// Integer arguments within bounds. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Engine.Arguments;

/// <summary>Reads an argument that must be a 64-bit integer within bounds.</summary>
internal static class BoundedArgument
{
    /// <summary>
    /// Parses an argument; writes Valkey's error, or <paramref name="error"/> if given, and returns false when it is not an integer within
    /// the bounds.
    /// </summary>
    public static bool TryGet(
        ref CommandContext context,
        int index,
        long least,
        long most,
        out long value,
        ReadOnlySpan<byte> error = default
    )
    {
        bool isInteger = IntegerText.TryParse(context[index], out value);
        if (isInteger && value >= least && value <= most)
            return true;
        if (!error.IsEmpty)
            context.Reply.WriteError(error);
        else if (!isInteger)
            context.Reply.WriteError(ErrorText.NotInteger);
        else
            context.Reply.WriteError($"ERR value is out of range, value must between {least} and {most}");
        return false;
    }

    /// <summary>Parses an argument that must not be negative.</summary>
    public static bool TryGetNatural(ref CommandContext context, int index, out long value) =>
        TryGet(ref context, index, 0, long.MaxValue, out value, "ERR value is out of range, must be positive"u8);
}
