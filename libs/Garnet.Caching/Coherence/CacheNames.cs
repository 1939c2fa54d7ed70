// The keys and channels of a cache in its server. Immutable; any thread.
using System.Text;
using Garnet.Caching.Links;

namespace Garnet.Caching.Coherence;

/// <summary>Every name begins with the cache's own, so that caches can share a server.</summary>
internal sealed class CacheNames(string instanceName, Guid instance)
{
    private readonly byte[] _tag = Encoding.UTF8.GetBytes(instanceName + "tag:");
    private readonly byte[] _entry = Encoding.UTF8.GetBytes(instanceName + "entry:");
    private readonly byte[] _load = Encoding.UTF8.GetBytes(instanceName + "load:");
    private readonly byte[] _waiting = Encoding.UTF8.GetBytes(instanceName + "wait:");
    private readonly byte[] _limit = Encoding.UTF8.GetBytes(instanceName + "until:");

    /// <summary>Hash of the sequence number and of the instances.</summary>
    public byte[] Members { get; } = Encoding.UTF8.GetBytes(instanceName + "members");

    /// <summary>The channel of changes.</summary>
    public string Changes { get; } = instanceName + "changes";

    /// <summary>The channels of single instances begin with this.</summary>
    public string InstancePrefix { get; } = instanceName + "to:";

    /// <summary>This instance's own channel.</summary>
    public string Own => InstancePrefix + Instance;

    /// <summary>This instance.</summary>
    public Guid Id => instance;

    /// <summary>This instance, as text of 32 digits.</summary>
    public string Instance { get; } = instance.ToString("N");

    /// <summary>The token of a tag.</summary>
    public byte[] Tag(string tag) => CacheText.Key(_tag, tag);

    /// <summary>An entry.</summary>
    public byte[] Entry(string key) => CacheText.Key(_entry, key);

    /// <summary>The lease of a key's loader.</summary>
    public byte[] Load(string key) => CacheText.Key(_load, key);

    /// <summary>Set of the instances that wait for a key's loader.</summary>
    public byte[] Waiting(string key) => CacheText.Key(_waiting, key);

    /// <summary>Lives until the absolute expiry of an entry with a sliding one.</summary>
    public byte[] Limit(string key) => CacheText.Key(_limit, key);
}
