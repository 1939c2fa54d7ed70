// The packed layouts.
namespace Garnet.Persistence.Rdb.Packed;

/// <summary>Layouts that store a run of elements in one string.</summary>
internal enum PackedForm
{
    /// <summary>Each element is followed by its own length (since Redis 5).</summary>
    ListPack,

    /// <summary>Each element is preceded by the length of the previous one (before Redis 7).</summary>
    ZipList,

    /// <summary>Fields and values with unused bytes after values (before Redis 2.6).</summary>
    ZipMap,
}
