// Integer arguments of 32 bits, such as database numbers. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Engine.Arguments;

/// <summary>Reads an argument that must fit an <see cref="int"/>.</summary>
internal static class Int32Argument
{
    /// <summary>
    /// Parses an argument; writes Valkey's error, or <paramref name="error"/> if given, and returns false when it is not a 32-bit integer.
    /// </summary>
    public static bool TryGet(ref CommandContext context, int index, out int value, ReadOnlySpan<byte> error = default)
    {
        value = 0;
        bool isInteger = IntegerText.TryParse(context[index], out long number);
        if (isInteger && number is >= int.MinValue and <= int.MaxValue)
        {
            value = (int)number;
            return true;
        }

        if (!error.IsEmpty)
        {
            context.Reply.WriteError(error);
        }
        else
        {
            context.Reply.WriteError(
                isInteger ? "ERR value is out of range, value must between -2147483648 and 2147483647"u8 : ErrorText.NotInteger
            );
        }

        return false;
    }

    /// <summary>
    /// Parses an argument as the number of a logical database; writes the error and returns false when there is no such database.
    /// </summary>
    public static bool TryGetDatabase(ref CommandContext context, int index, out int database)
    {
        if (!TryGet(ref context, index, out database))
            return false;
        if ((uint)database < (uint)context.Store.Store.Databases.Count)
            return true;
        context.Reply.WriteError(ErrorText.DatabaseOutOfRange);
        return false;
    }
}
