// The options about users. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about users; their rules are lines of their own kind in a file.</summary>
internal static class UserOptions
{
    public static OptionDescriptor[] All() =>
        [
            new StringOption("aclfile", static o => o.AclFile, static (o, v) => o.AclFile = v)
            {
                Group = OptionGroup.Clients,
                Help = "File of the users, for ACL LOAD and ACL SAVE; it must exist. A relative path is relative to dir.",
                EmptyIsAbsent = true,
            },
            new IntegerOption("acllog-max-len", static o => o.AclLogMaxLength, static (o, v) => o.AclLogMaxLength = (int)v, 0, 1_000_000)
            {
                Group = OptionGroup.Clients,
                Help = "Maximum number of entries of ACL LOG.",
                Mutability = Mutability.Runtime,
            },
            new EnumOption<AclPubSubDefault>(
                "acl-pubsub-default",
                static o => o.AclPubSubDefault,
                static (o, v) => o.AclPubSubDefault = v,
                [("allchannels", AclPubSubDefault.AllChannels), ("resetchannels", AclPubSubDefault.ResetChannels)]
            )
            {
                Group = OptionGroup.Clients,
                Help = "Channels that a new user may use.",
                Mutability = Mutability.Runtime,
            },
        ];
}
