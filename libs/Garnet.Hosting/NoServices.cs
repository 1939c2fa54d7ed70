// A service provider without services. Any thread.
namespace Garnet.Hosting;

/// <summary>Used where an application provides no services.</summary>
internal sealed class NoServices : IServiceProvider
{
    public static readonly NoServices Instance = new();

    public object? GetService(Type serviceType) => null;
}
