// Requests without a connection. Stateless; any thread.
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Garnet.Dashboard.Tests;

/// <summary>Makes requests as the dashboard sees them.</summary>
internal static class TestRequest
{
    /// <summary>A request with memory and a clock.</summary>
    public static HttpContext NewContext(TimeProvider? time = null, MemoryBudget? budget = null)
    {
        var context = new DefaultHttpContext();
        context.Features.Set<IHttpRequestLifetimeFeature>(new Lifetime());
        RequestMemory.Begin(budget ?? new MemoryBudget(long.MaxValue / 2, long.MaxValue / 2), context, time ?? TimeProvider.System);
        return context;
    }

    /// <summary>The memory of a request.</summary>
    public static RequestMemory NewMemory(MemoryBudget? budget = null, DashboardSession? session = null)
    {
        var memory = RequestMemory.Of(NewContext(budget: budget));
        memory.Session = session;
        return memory;
    }

    // What Kestrel does: the request's token is cancelled.
    private sealed class Lifetime : IHttpRequestLifetimeFeature
    {
        private readonly CancellationTokenSource _aborted = new();

        public Lifetime() => RequestAborted = _aborted.Token;

        public CancellationToken RequestAborted { get; set; }

        public void Abort() => _aborted.Cancel();
    }
}
