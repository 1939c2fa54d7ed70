// The table of string commands.
namespace Garnet.Server.Commands.Strings;

/// <summary>Registers the string family.</summary>
internal static class StringCommands
{
    public static CommandDescriptor[] All =>
    [
        GetCommand.Descriptor,
        SetCommand.Descriptor,
    ];
}
