// Values as JSON. Immutable; any thread.
using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid.Serialization;

/// <summary>By the type's own description, which a source generator can write.</summary>
internal sealed class JsonEntrySerializer<T>(JsonTypeInfo<T> type) : IHybridCacheSerializer<T>
{
    public T Deserialize(ReadOnlySequence<byte> source)
    {
        Utf8JsonReader reader = new(source);
        return JsonSerializer.Deserialize(ref reader, type)!;
    }

    public void Serialize(T value, IBufferWriter<byte> target)
    {
        using Utf8JsonWriter writer = new(target);
        JsonSerializer.Serialize(writer, value, type);
    }
}
