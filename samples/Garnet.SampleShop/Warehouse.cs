// What is slow and worth a cache. Thread-safe.
namespace Garnet.SampleShop;

/// <summary>Counts how often it was asked, so that the caches' work can be seen.</summary>
internal sealed class Warehouse
{
    private static readonly TimeSpan LookUpTime = TimeSpan.FromMilliseconds(300);

    private int _lookUps;
    private int _catalogues;

    public async ValueTask<int> LookUpPriceAsync(string article, CancellationToken cancellationToken)
    {
        await Task.Delay(LookUpTime, cancellationToken);
        return (article.Length * 100) + Interlocked.Increment(ref _lookUps);
    }

    public string MakeCatalogue() => $"catalogue {Interlocked.Increment(ref _catalogues)}";
}
