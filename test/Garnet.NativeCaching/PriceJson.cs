// How values become JSON without reflection. Generated; immutable.
using System.Text.Json.Serialization;

namespace Garnet.NativeCaching;

/// <summary>Describes the types that are cached.</summary>
[JsonSerializable(typeof(Price))]
internal sealed partial class PriceJson : JsonSerializerContext;
