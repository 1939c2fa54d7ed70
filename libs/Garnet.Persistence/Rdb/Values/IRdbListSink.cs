// Takes a list's elements as they are read. One thread.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Receives a list, front to back.</summary>
public interface IRdbListSink
{
    /// <summary>A list begins; <paramref name="isPushed"/>: its elements come by themselves, and their sizes decide whether they are kept in several nodes.</summary>
    void BeginList(bool isPushed);

    /// <summary>Takes the next element; its bytes are valid during the call.</summary>
    void AddElement(scoped ReadOnlySpan<byte> element);

    /// <summary>The list has all its elements; <paramref name="isQuickList"/>: it was kept in several nodes, or as if it were.</summary>
    void EndList(bool isQuickList);
}
