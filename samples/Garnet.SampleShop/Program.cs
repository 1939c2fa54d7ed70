// A shop whose cache is a Garnet server in its own process: direct commands, distributed cache, output cache and session, all in one store
// that redis-cli can look into.
using System.Globalization;
using Garnet;
using Garnet.SampleShop;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Distributed;

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);

// Settings come from the section "Garnet" of appsettings.json; the server starts and stops with the application.
builder.Services.AddGarnet();
builder.Services.AddGarnetDistributedCache(options => options.InstanceName = "shop:");
builder.Services.AddGarnetOutputCache(options => options.InstanceName = "shop:");
builder.Services.AddSession(options => options.IdleTimeout = TimeSpan.FromMinutes(20));
builder.Services.AddSingleton<Warehouse>();

WebApplication app = builder.Build();
app.UseSession();
app.UseOutputCache();

// Direct commands: counts visits without a socket, while the same key can be read by any RESP client.
app.MapGet("/visits", (IGarnet garnet) => garnet.Increment("visits"));

// Transaction: what is sold is counted and written down, both at once; the reply is the order's number.
app.MapPost(
    "/order/{article}",
    (string article, IGarnet garnet) =>
    {
        using IGarnetTransaction transaction = garnet.BeginTransaction();
        transaction.Queue("HINCRBY", "sold", article, "1");
        transaction.Queue("RPUSH", "orders", article);
        return transaction.Commit()![1].AsInt64();
    }
);

// Distributed cache: the price is looked up once and then kept for as long as somebody asks for it, an hour at most.
app.MapGet(
    "/price/{article}",
    async (string article, IDistributedCache cache, Warehouse warehouse, CancellationToken cancel) =>
    {
        if (await cache.GetStringAsync(article, cancel) is { } known)
            return known;
        string price = warehouse.LookUpPrice(article).ToString(CultureInfo.InvariantCulture);
        DistributedCacheEntryOptions expiry = new()
        {
            SlidingExpiration = TimeSpan.FromMinutes(5),
            AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1),
        };
        await cache.SetStringAsync(article, price, expiry, cancel);
        return price;
    }
);

// Output cache: the whole page is kept until somebody changes the catalogue.
app.MapGet("/catalogue", (Warehouse warehouse) => warehouse.MakeCatalogue())
    .CacheOutput(policy => policy.Tag("catalogue").Expire(TimeSpan.FromMinutes(10)));
app.MapPost(
    "/catalogue",
    async (IOutputCacheStore pages, CancellationToken cancel) =>
    {
        await pages.EvictByTagAsync("catalogue", cancel);
        return Results.NoContent();
    }
);

// Session: a basket for each visitor, kept by the distributed cache.
app.MapPost(
    "/basket/{article}",
    (string article, HttpContext context) =>
    {
        string basket = context.Session.GetString("basket") is { } before ? $"{before},{article}" : article;
        context.Session.SetString("basket", basket);
        return basket;
    }
);
app.MapGet("/basket", (HttpContext context) => context.Session.GetString("basket") ?? "");

app.Run();
