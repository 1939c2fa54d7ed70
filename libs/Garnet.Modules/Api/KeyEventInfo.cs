// An event of a key, as a module is told of it. Immutable.
namespace Garnet.Modules;

/// <summary>An event of a key.</summary>
/// <param name="Database">Number of the key's database.</param>
/// <param name="Name">The event's name, as in <c>hset</c> or <c>expired</c>.</param>
/// <param name="Key">The key.</param>
public readonly record struct KeyEventInfo(int Database, string Name, ReadOnlyMemory<byte> Key);
