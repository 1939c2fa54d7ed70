// Takes a list's elements as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a list, front to back.</summary>
public interface IRdbListSink
{
    /// <summary>A list begins; the count is a hint that nobody vouches for.</summary>
    void BeginList(long count);

    /// <summary>Takes the next element; its bytes are valid during the call.</summary>
    void AddElement(scoped ReadOnlySpan<byte> element);
}
