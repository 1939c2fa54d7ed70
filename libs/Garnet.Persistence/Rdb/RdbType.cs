// The numbers of value types and encodings in RDB data. Frozen by the format.
namespace Garnet.Persistence.Rdb;

/// <summary>How a value is written; the numbers are the format's own.</summary>
internal enum RdbType : byte
{
    /// <summary>A string.</summary>
    String = 0,

    /// <summary>Count, elements.</summary>
    List = 1,

    /// <summary>Count, members.</summary>
    Set = 2,

    /// <summary>Count, members with their scores as text.</summary>
    SortedSetText = 3,

    /// <summary>Count, fields and values.</summary>
    Hash = 4,

    /// <summary>Count, members with their scores in binary.</summary>
    SortedSet = 5,

    /// <summary>A module's value in the format of Redis 4.0's release candidates.</summary>
    OldModule = 6,

    /// <summary>A module's value.</summary>
    Module = 7,

    /// <summary>A hash in one zipmap.</summary>
    HashZipMap = 9,

    /// <summary>A list in one ziplist.</summary>
    ListZipList = 10,

    /// <summary>A set of integers in one intset.</summary>
    SetIntSet = 11,

    /// <summary>A sorted set in one ziplist.</summary>
    SortedSetZipList = 12,

    /// <summary>A hash in one ziplist.</summary>
    HashZipList = 13,

    /// <summary>A list of ziplists.</summary>
    ListQuickList = 14,

    /// <summary>A stream of listpacks, first form.</summary>
    Stream1 = 15,

    /// <summary>A hash in one listpack.</summary>
    HashListPack = 16,

    /// <summary>A sorted set in one listpack.</summary>
    SortedSetListPack = 17,

    /// <summary>A list of listpacks and single large elements.</summary>
    ListQuickList2 = 18,

    /// <summary>A stream with its first and greatest deleted IDs and its count of additions.</summary>
    Stream2 = 19,

    /// <summary>A set in one listpack.</summary>
    SetListPack = 20,

    /// <summary>A stream whose consumers carry the time of their last activity.</summary>
    Stream3 = 21,

    /// <summary>Since version 80 (Valkey): a hash with expiring fields. From 12 to 79 (Redis): one of release candidates.</summary>
    HashExpiring = 22,

    /// <summary>Redis release candidates: a hash in a listpack of field, value, expiry.</summary>
    ForeignHashListPackCandidate = 23,

    /// <summary>Redis 7.4: a hash with expiring fields.</summary>
    ForeignHashExpiring = 24,

    /// <summary>Redis 7.4: a hash in a listpack of field, value, expiry.</summary>
    ForeignHashListPackExpiring = 25,
}
