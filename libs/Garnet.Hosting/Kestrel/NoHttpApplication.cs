// What Kestrel would run for HTTP requests; raw endpoints never get there.
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;

namespace Garnet.Hosting.Kestrel;

internal sealed class NoHttpApplication : IHttpApplication<IFeatureCollection>
{
    public IFeatureCollection CreateContext(IFeatureCollection contextFeatures) => contextFeatures;

    public Task ProcessRequestAsync(IFeatureCollection context) =>
        throw new InvalidOperationException("A raw endpoint received an HTTP request.");

    public void DisposeContext(IFeatureCollection context, Exception? exception) { }
}
