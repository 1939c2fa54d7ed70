// Receives a list's elements as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a list, front to back.</summary>
internal interface IRdbListSink
{
    /// <summary>
    /// A list begins. Its elements come one by one, and their sizes decide how they are stored, unless <see cref="BeginNode"/> does.
    /// </summary>
    void BeginList();

    /// <summary>The elements of a node follow, possibly none; <paramref name="isPlain"/>: a single element stored plain.</summary>
    void BeginNode(bool isPlain);

    /// <summary>Receives the next element; its bytes are valid during the call.</summary>
    void AddElement(scoped ReadOnlySpan<byte> element);

    /// <summary>The list is complete; <paramref name="staysQuickList"/>: it is stored as a quicklist, however small it is.</summary>
    void EndList(bool staysQuickList);
}
