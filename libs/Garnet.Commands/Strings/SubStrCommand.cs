// SUBSTR key start end
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Strings;

/// <summary>Deprecated alias of GETRANGE.</summary>
internal static class SubStrCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SUBSTR",
        Arity = 4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.String,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = GetRangeCommand.Execute,
    };
}
