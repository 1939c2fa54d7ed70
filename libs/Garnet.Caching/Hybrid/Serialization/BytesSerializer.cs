// Bytes as they are. Stateless; any thread.
using System.Buffers;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid.Serialization;

/// <summary>Bytes are stored as they are.</summary>
internal sealed class BytesSerializer : IHybridCacheSerializer<byte[]>
{
    public byte[] Deserialize(ReadOnlySequence<byte> source) => source.ToArray();

    public void Serialize(byte[] value, IBufferWriter<byte> target) => target.Write(value);
}
