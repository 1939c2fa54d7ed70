// Takes one collection of any type but the stream. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// Receives the value of a key that is neither string nor stream: one of the Begin methods says what it is. What was received is complete
/// when the reading returned true; after an exception it is to be thrown away.
/// </summary>
public interface IRdbCollectionSink : IRdbListSink, IRdbSetSink, IRdbSortedSetSink, IRdbHashSink;
