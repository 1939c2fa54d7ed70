// The settings of a server about users; see GarnetOptions.cs.
namespace Garnet;

public sealed partial class GarnetOptions
{
    /// <summary>Maximum number of entries of ACL LOG.</summary>
    public int AclLogMaxLength { get; set; } = 128;

    /// <summary>The channels that a new user may use.</summary>
    public AclPubSubDefault AclPubSubDefault { get; set; }

    /// <summary>
    /// The events of keys that are published, as letters: <c>K</c> to the channels of the keys, <c>E</c> to those of the events,
    /// <c>g$lshzxetd</c> or <c>A</c> the kinds of events, <c>m</c> missed keys, <c>n</c> new keys. Empty for none.
    /// </summary>
    public string NotifyKeyspaceEvents { get; set; } = "";
}
