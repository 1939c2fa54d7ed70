// What an entry of the process is made for. A plain value.
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid.Serialization;

namespace Garnet.Caching.Hybrid;

/// <summary>The key, what ends when it is removed or set, and how its values are kept.</summary>
internal readonly record struct EntryTarget<T>(string Key, Generation Own, EntrySerializer<T> Serializer, EntrySettings Settings);
