// Takes a list's elements as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a list, front to back.</summary>
public interface IRdbListSink
{
    /// <summary>
    /// A list begins. Its elements come by themselves, and their sizes decide how they are kept, unless <see cref="BeginNode"/> says it.
    /// </summary>
    void BeginList();

    /// <summary>Elements that were kept together follow, maybe none; <paramref name="isPlain"/>: one element by itself.</summary>
    void BeginNode(bool isPlain);

    /// <summary>Takes the next element; its bytes are valid during the call.</summary>
    void AddElement(scoped ReadOnlySpan<byte> element);

    /// <summary>The list has all its elements; <paramref name="staysQuickList"/>: it is kept as a large one, however small it is.</summary>
    void EndList(bool staysQuickList);
}
