// Takes one value of any type. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// Receives a key's value: a string, or a collection that one of the Begin methods announces. What was received is complete when the reading returned true; after an
/// exception it is to be thrown away.
/// </summary>
public interface IRdbValueSink : IRdbListSink, IRdbSetSink, IRdbSortedSetSink, IRdbHashSink, IRdbStreamSink
{
    /// <summary>A string; its bytes are valid during the call.</summary>
    void String(scoped ReadOnlySpan<byte> value);
}
