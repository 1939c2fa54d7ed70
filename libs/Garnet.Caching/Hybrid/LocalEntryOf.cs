// An entry in the process, of a type. Immutable; any thread.
using Garnet.Caching.Hybrid.Serialization;

namespace Garnet.Caching.Hybrid;

/// <summary>Keeps the value itself if callers cannot change it, else the bytes, from which each caller gets a copy of its own.</summary>
internal sealed class LocalEntryOf<T>(T value, ReadOnlyMemory<byte>? payload, EntrySerializer<T> serializer) : LocalEntry
{
    /// <summary>The value, for one caller.</summary>
    public T Value => payload is { } bytes ? serializer.Read(bytes) : value;
}
