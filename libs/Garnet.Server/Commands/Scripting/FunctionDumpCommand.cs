// FUNCTION DUMP
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Persistence;
using Garnet.Server.Scripting;

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
        context.Reply.WriteBulk(RdbPayloads.OfThread.Of(context.Scratch).Writer.EncodeFunctions(scripts.Functions.Sources));
}
