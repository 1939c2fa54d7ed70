// Properties of a stream other than its entries and groups. Immutable.
namespace Garnet.Persistence.Rdb.Values;

/// <summary>Properties of a stream.</summary>
/// <param name="Length">Entries it has.</param>
/// <param name="LastId">The greatest ID ever added.</param>
/// <param name="FirstId">The ID of the first entry; zero when there is none.</param>
/// <param name="MaxDeletedId">The greatest ID ever deleted.</param>
/// <param name="EntriesAdded">Entries ever added.</param>
internal readonly record struct RdbStreamProperties(
    ulong Length,
    RdbStreamId LastId,
    RdbStreamId FirstId,
    RdbStreamId MaxDeletedId,
    ulong EntriesAdded
);
