// What is slow and worth a cache. Thread-safe.
namespace Garnet.SampleShop;

/// <summary>Counts how often it was asked, so that the caches' work can be seen.</summary>
internal sealed class Warehouse
{
    private int _lookUps;
    private int _catalogues;

    public int LookUpPrice(string article) => (article.Length * 100) + Interlocked.Increment(ref _lookUps);

    public string MakeCatalogue() => $"catalogue {Interlocked.Increment(ref _catalogues)}";
}
