// Receives one collection of any type but the stream. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>
/// Receives the value of a key that is neither string nor stream: one of the Begin methods gives its type. The value is complete when
/// reading returned true; after an exception it must be discarded.
/// </summary>
internal interface IRdbCollectionSink : IRdbListSink, IRdbSetSink, IRdbSortedSetSink, IRdbHashSink;
