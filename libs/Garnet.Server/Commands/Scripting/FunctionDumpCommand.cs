// FUNCTION DUMP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Replies with a payload of all libraries.</summary>
internal static class FunctionDumpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DUMP",
        Arity = 2,
        Flags = CommandFlags.NoScript,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "7.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) =>
        context.Reply.WriteBulk(context.Batch.Payloads.Writer.EncodeFunctions(context.Server.Scripts.Functions.Sources));
}
