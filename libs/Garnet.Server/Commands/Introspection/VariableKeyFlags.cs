// Resolves how a specific call of SET or BITFIELD accesses its key, which their key specifications leave open. Stateless.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Resolves the variable flags of a key in the arguments of COMMAND GETKEYSANDFLAGS.</summary>
internal static class VariableKeyFlags
{
    private const KeySpecFlags Updated = KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update;

    /// <summary>The flags of a key in the call that begins at argument 2.</summary>
    public static KeySpecFlags Resolve(ref CommandContext context, KeyPosition key)
    {
        if ((key.Flags & KeySpecFlags.VariableFlags) == 0)
            return key.Flags;
        if (context.Is(2, "SET"u8))
            return HasGetOption(ref context) ? Updated : KeySpecFlags.OW | KeySpecFlags.Update;
        if (context.Is(2, "BITFIELD"u8))
            return OnlyGets(ref context) ? KeySpecFlags.RO | KeySpecFlags.Access : Updated;
        return key.Flags;
    }

    private static bool HasGetOption(ref CommandContext context)
    {
        for (int i = 5; i < context.Count; i++)
        {
            if (context.Is(i, "GET"u8))
                return true;
        }

        return false;
    }

    private static bool OnlyGets(ref CommandContext context)
    {
        int i = 4;
        while (i < context.Count)
        {
            int more = context.Count - 1 - i;
            if (context.Is(i, "GET"u8) && more >= 2)
                i += 3;
            else if (context.Is(i, "OVERFLOW"u8) && more >= 1)
                i += 2;
            else
                return false;
        }

        return true;
    }
}
