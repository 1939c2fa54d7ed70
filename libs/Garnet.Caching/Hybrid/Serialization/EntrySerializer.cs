// Turns values of a type into bytes and back. Immutable; any thread.
using System.Buffers;
using System.ComponentModel;
using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid.Serialization;

/// <summary>A serializer, and whether callers can share a value.</summary>
internal sealed class EntrySerializer<T>(IHybridCacheSerializer<T> serializer)
{
    /// <summary>
    /// Whether a value cannot be changed: a string, a value type without references, or a sealed type that says so by
    /// <see cref="ImmutableObjectAttribute"/>.
    /// </summary>
    public bool IsImmutable { get; } =
        typeof(T) == typeof(string)
        || !RuntimeHelpers.IsReferenceOrContainsReferences<T>()
        || (typeof(T).IsSealed && typeof(T).GetCustomAttribute<ImmutableObjectAttribute>() is { Immutable: true });

    /// <summary>A value of its own for the caller.</summary>
    public T Read(ReadOnlyMemory<byte> payload) => serializer.Deserialize(new ReadOnlySequence<byte>(payload));

    /// <summary>The bytes of a value.</summary>
    public ReadOnlyMemory<byte> Write(T value)
    {
        ArrayBufferWriter<byte> writer = new();
        serializer.Serialize(value, writer);
        return writer.WrittenMemory;
    }
}
