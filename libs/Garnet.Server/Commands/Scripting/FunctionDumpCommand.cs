// FUNCTION DUMP
using Garnet.Server.CommandModel;
using Garnet.Server.Scripting;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Replies with a payload of all libraries.</summary>
internal sealed class FunctionDumpCommand(ServerScripts scripts)
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
        MakeHandler = static parts => new FunctionDumpCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context) =>
        context.Reply.WriteBulk(RdbPayloads.OfThread.Of(context.Batch).Writer.EncodeFunctions(scripts.Functions.Sources));
}
