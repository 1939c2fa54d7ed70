// Which of the packed layouts a blob has.
namespace Garnet.Persistence.Rdb.Packed;

/// <summary>Layouts that hold a run of elements in one string.</summary>
internal enum PackedForm
{
    /// <summary>Elements with their own length after them (Redis 5 on).</summary>
    ListPack,

    /// <summary>Elements with the length of the one before in front (before Redis 7).</summary>
    ZipList,

    /// <summary>Fields and values with unused bytes after values (before Redis 2.6).</summary>
    ZipMap,
}
