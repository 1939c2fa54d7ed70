// ASKING
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Cluster;

/// <summary>Replies with an error, as there is no cluster whose redirection could be followed.</summary>
internal static class AskingCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ASKING",
        Arity = 1,
        Flags = CommandFlags.Fast,
        Group = CommandGroup.Cluster,
        Categories = AclCategories.Connection,
        Traits = CommandTraits.OfConnection,
        Since = "3.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteError("ERR This instance has cluster support disabled"u8);
}
