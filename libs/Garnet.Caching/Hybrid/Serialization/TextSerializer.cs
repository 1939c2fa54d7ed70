// Texts as UTF-8. Stateless; any thread.
using System.Buffers;
using System.Text;
using Microsoft.Extensions.Caching.Hybrid;

namespace Garnet.Caching.Hybrid.Serialization;

/// <summary>A text is stored as its UTF-8.</summary>
internal sealed class TextSerializer : IHybridCacheSerializer<string>
{
    public string Deserialize(ReadOnlySequence<byte> source) => Encoding.UTF8.GetString(source);

    public void Serialize(string value, IBufferWriter<byte> target) => Encoding.UTF8.GetBytes(value, target);
}
