// Finds the serializers of types. Thread-safe.
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Garnet.Caching.Hybrid.Serialization;

/// <summary>
/// A registered <see cref="IHybridCacheSerializer{T}"/> comes first, then the factories, the last one first, then texts and bytes as they
/// are, then JSON with the <see cref="JsonSerializerOptions"/> that are registered under the key
/// <c>typeof(IHybridCacheSerializer&lt;T&gt;)</c> or <c>typeof(IHybridCacheSerializer&lt;&gt;)</c>, as for Microsoft's implementation.
/// </summary>
internal sealed class EntrySerializers(IServiceProvider services)
{
    private readonly ConcurrentDictionary<Type, object> _known = new();

    private readonly IHybridCacheSerializerFactory[] _factories = [.. services.GetServices<IHybridCacheSerializerFactory>().Reverse()];

    private readonly JsonSerializerOptions _json =
        (services as IKeyedServiceProvider)?.GetKeyedService<JsonSerializerOptions>(typeof(IHybridCacheSerializer<>)) ?? Usual();

    /// <summary>The serializer of a type.</summary>
    public EntrySerializer<T> For<T>() =>
        (EntrySerializer<T>)(
            _known.TryGetValue(typeof(T), out object? known)
                ? known
                : _known.GetOrAdd(typeof(T), static (_, self) => new EntrySerializer<T>(self.Find<T>()), this)
        );

    private IHybridCacheSerializer<T> Find<T>()
    {
        if (services.GetService<IHybridCacheSerializer<T>>() is { } registered)
            return registered;
        foreach (IHybridCacheSerializerFactory factory in _factories)
        {
            if (factory.TryCreateSerializer(out IHybridCacheSerializer<T>? created))
                return created;
        }

        if (typeof(T) == typeof(string))
            return (IHybridCacheSerializer<T>)(object)new TextSerializer();
        if (typeof(T) == typeof(byte[]))
            return (IHybridCacheSerializer<T>)(object)new BytesSerializer();
        JsonSerializerOptions json =
            (services as IKeyedServiceProvider)?.GetKeyedService<JsonSerializerOptions>(typeof(IHybridCacheSerializer<T>)) ?? _json;
        return new JsonEntrySerializer<T>((JsonTypeInfo<T>)json.GetTypeInfo(typeof(T)));
    }

    private static JsonSerializerOptions Usual() =>
        new() { IncludeFields = true, TypeInfoResolver = JsonSerializer.IsReflectionEnabledByDefault ? Reflection() : null };

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Called only where reflection is on, which trimming turns off.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Called only where reflection is on, which a native build turns off.")]
    private static DefaultJsonTypeInfoResolver Reflection() => new();
}
