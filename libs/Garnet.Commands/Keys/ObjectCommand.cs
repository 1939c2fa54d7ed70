// OBJECT subcommand [argument]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>The container of the OBJECT subcommands.</summary>
internal static class ObjectCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "OBJECT",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Generic,
        Since = "2.2.3",
        Help = new(
            "6.2.0",
            [
                "ENCODING <key>",
                "    Return the kind of internal representation used in order to store the value",
                "    associated with a <key>.",
                "FREQ <key>",
                "    Return the access frequency index of the <key>. The returned integer is",
                "    proportional to the logarithm of the recent access frequency of the key.",
                "IDLETIME <key>",
                "    Return the idle time of the <key>, that is the approximated number of",
                "    seconds elapsed since the last access to the key.",
                "REFCOUNT <key>",
                "    Return the number of references of the value associated with the specified",
                "    <key>.",
            ],
            AclCategories.Keyspace
        ),
        Subcommands =
        [
            ObjectEncodingCommand.Descriptor,
            ObjectFreqCommand.Descriptor,
            ObjectIdleTimeCommand.Descriptor,
            ObjectRefCountCommand.Descriptor,
        ],
    };
}
