// Finds commands by the full names that COMMAND shows. Stateless.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Full names look like <c>get</c> and <c>config|get</c>; case is ignored.</summary>
internal static class CommandName
{
    /// <summary>The command with this full name, or null.</summary>
    public static Command? Find(CommandTable commands, ReadOnlySpan<byte> name)
    {
        int bar = name.IndexOf((byte)'|');
        return bar < 0 ? commands.Find(name) : commands.Find(name[..bar])?.FindSubcommand(name[(bar + 1)..]);
    }
}
