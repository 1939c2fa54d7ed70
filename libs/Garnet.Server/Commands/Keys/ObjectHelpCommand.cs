// OBJECT HELP
namespace Garnet.Server.Commands.Keys;

/// <summary>Lists the subcommands of OBJECT. The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md).</summary>
internal static class ObjectHelpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace | AclCategories.Slow,
        Since = "6.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        context.Reply.WriteArray(15);
        context.Reply.WriteSimpleString("OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:"u8);
        context.Reply.WriteSimpleString("ENCODING <key>"u8);
        context.Reply.WriteSimpleString("    Return the kind of internal representation used in order to store the value"u8);
        context.Reply.WriteSimpleString("    associated with a <key>."u8);
        context.Reply.WriteSimpleString("FREQ <key>"u8);
        context.Reply.WriteSimpleString("    Return the access frequency index of the <key>. The returned integer is"u8);
        context.Reply.WriteSimpleString("    proportional to the logarithm of the recent access frequency of the key."u8);
        context.Reply.WriteSimpleString("IDLETIME <key>"u8);
        context.Reply.WriteSimpleString("    Return the idle time of the <key>, that is the approximated number of"u8);
        context.Reply.WriteSimpleString("    seconds elapsed since the last access to the key."u8);
        context.Reply.WriteSimpleString("REFCOUNT <key>"u8);
        context.Reply.WriteSimpleString("    Return the number of references of the value associated with the specified"u8);
        context.Reply.WriteSimpleString("    <key>."u8);
        context.Reply.WriteSimpleString("HELP"u8);
        context.Reply.WriteSimpleString("    Print this help."u8);
    }
}
